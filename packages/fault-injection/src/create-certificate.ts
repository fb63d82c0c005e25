import { createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { isIPv4 } from 'node:net'

/** Both in PEM. */
export type Certificate = { readonly certificate: string; readonly privateKey: string }

export type CertificateParameters = {
  /** Of whom it says it is. */
  readonly commonName: string
  /** Host names and IPv4 addresses it is valid for. */
  readonly hosts?: readonly string[] | undefined
  readonly from: Date
  readonly until: Date
  /** Signer of the certificate. @default itself */
  readonly authority?: Authority | undefined
}

type Authority = { readonly commonName: string; readonly key: KeyObject }

const Tag = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  objectId: 0x06,
  text: 0x0c,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
  extensions: 0xa3,
  dnsName: 0x82,
  ipAddress: 0x87,
} as const

/** Object identifiers in DER: RFC 5280 and RFC 5758. */
const ObjectId = {
  commonName: '550403',
  basicConstraints: '551d13',
  subjectAltName: '551d11',
  ecdsaWithSha256: '2a8648ce3d040302',
} as const

function lengthOf(size: number): Buffer {
  if (size < 0x80) return Buffer.from([size])
  const bytes = size < 0x100 ? [size] : [size >> 8, size & 0xff]
  return Buffer.from([0x80 | bytes.length, ...bytes])
}

/** One value in DER (X.690): what it is, how long it is, what it holds. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(Tag.sequence, ...parts)
const objectId = (hex: string): Buffer => der(Tag.objectId, Buffer.from(hex, 'hex'))

const name = (text: string): Buffer =>
  sequence(der(Tag.set, sequence(objectId(ObjectId.commonName), der(Tag.text, Buffer.from(text)))))

const time = (date: Date): Buffer =>
  der(Tag.time, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`))

const host = (text: string): Buffer =>
  isIPv4(text)
    ? der(Tag.ipAddress, Buffer.from(text.split('.').map(Number)))
    : der(Tag.dnsName, Buffer.from(text))

function extensions({ hosts, authority }: CertificateParameters): Buffer {
  const yes = der(Tag.boolean, Buffer.from([0xff]))
  const isAuthority = hosts === undefined && authority === undefined
  const constraints = [objectId(ObjectId.basicConstraints), yes, der(Tag.octets, sequence(yes))]
  const names = [objectId(ObjectId.subjectAltName), der(Tag.octets, sequence(...(hosts ?? []).map(host)))]
  return der(Tag.extensions, sequence(sequence(...(isAuthority ? constraints : names))))
}

const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`

/** A certificate with a new key on P-256, for tests: Node can read certificates and not make them. */
export function createCertificate(
  parameters: CertificateParameters,
): Certificate & { readonly key: KeyObject } {
  const { commonName, from, until, authority } = parameters
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(objectId(ObjectId.ecdsaWithSha256))
  const serial = Buffer.concat([Buffer.from([0x01]), randomBytes(15)])
  const content = sequence(
    der(Tag.version, der(Tag.integer, Buffer.from([2]))),
    der(Tag.integer, serial),
    algorithm,
    name(authority?.commonName ?? commonName),
    sequence(time(from), time(until)),
    name(commonName),
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions(parameters),
  )
  const signature = createSign('sha256')
    .update(content)
    .sign(authority?.key ?? privateKey)
  const certificate = sequence(content, algorithm, der(Tag.bits, Buffer.from([0]), signature))
  return {
    certificate: pem(certificate),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    key: privateKey,
  }
}
