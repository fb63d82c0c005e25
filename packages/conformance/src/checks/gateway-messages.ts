import {
  addressOf,
  type Beacon,
  beaconHash,
  checkBeacon,
  formatHail,
  formatPublication,
  hailHash,
  isOfferSigned,
  offeredTransactionHash,
  parseAddress,
  parseClientMessage,
  parseHash,
  parsePrivateKey,
  parseServerMessage,
  parseTokenId,
  publicationText,
  sha256Hex,
  signText,
} from '@hailstone/protocol'
import { asObject, asText, type Case, casesOf, difference, everyCaseHas, judge, nameOf } from '../case.ts'
import type { Check } from '../check.ts'

type Differences = readonly (string | null)[]

function hail(given: Case): Differences {
  const key = parsePrivateKey(asText(given.private_key))
  const tokenId = parseTokenId(asText(given.token))
  const referralAgent = typeof given.referrer === 'string' ? parseAddress(given.referrer) : undefined
  const host = asText(given.host)
  const read = parseClientMessage(asText(given.message))
  const accepted = read.kind === 'hail' && read.hasVersion && read.data.id === addressOf(key)
  if (given.variant !== 'plain') {
    const extended = sha256Hex(host + (referralAgent ?? '') + tokenId)
    const hash = given.variant === 'extended' ? extended : hailHash(host)
    const signed = given.variant === 'extended' ? difference('signed_text', given.signed_text, hash) : null
    return [
      difference('hash', given.hash, hash),
      signed,
      accepted ? null : 'the gateway does not read the hail',
    ]
  }
  const hash = hailHash(host)
  const message = formatHail({
    address: addressOf(key),
    tokenId,
    hash,
    signature: signText(hash, key),
    referralAgent,
  })
  return [
    difference('hash', given.hash, hash),
    difference('signed_text', given.signed_text, hash),
    difference('message', given.message, message),
    accepted ? null : 'the gateway does not read the hail',
  ]
}

const transactionsOf = (beacon: Beacon) =>
  beacon.content.transactions.map((offered) => ({
    hash: offered.statedHash ?? null,
    computed: offeredTransactionHash(offered),
    matches: offered.statedHash === offeredTransactionHash(offered),
    signature_valid: isOfferSigned(offered),
  }))

function beacon(given: Case): Differences {
  const message = parseServerMessage(asText(given.message))
  if (message.kind !== 'beacon') return [`read as ${message.kind}`]
  const expected = asObject(given.expect)
  const address = parseAddress(asText(given.public_key))
  const computed = beaconHash(message.beacon)
  const found = {
    m_hash_matches: computed === message.beacon.microblockHash,
    computed_m_hash: computed,
    publisher_is_me: message.beacon.content.publisher.toLowerCase() === address,
    txs: transactionsOf(message.beacon),
    should_publish: checkBeacon(message.beacon, { address }).ok,
  }
  return Object.entries(found).map(([name, value]) => difference(name, expected[name], value))
}

function publish(given: Case): Differences {
  const key = parsePrivateKey(asText(given.private_key))
  const referralAgent = typeof given.referrer === 'string' ? parseAddress(given.referrer) : undefined
  const tokenId = parseTokenId(asText(given.token))
  const microblockHash = parseHash(asText(given.m_hash))
  const text = publicationText({ microblockHash, referralAgent, tokenId })
  const signature = signText(text, key)
  const keyBlockHash = parseHash(asText(given.kblocks_hash))
  const publication = {
    keyBlockHash,
    microblockHash,
    signature,
    address: addressOf(key),
    tokenId,
    referralAgent,
  }
  return [
    difference('signed_text', given.signed_text, text),
    difference('ecdsa_digest', given.ecdsa_digest, sha256Hex(text)),
    difference('sign_rfc6979_low_s', given.sign_rfc6979_low_s, signature),
    difference('message', given.message, formatPublication(publication)),
  ]
}

function server(given: Case): Differences {
  const message = parseServerMessage(asText(given.message))
  const expected = asObject(given.expect)
  // A known message with wrong members is reported differently from an unknown one, and has as little effect.
  const hasNoEffect = message.kind === 'ignored' || message.kind === 'malformed'
  const kind = hasNoEffect ? 'ignore' : message.kind
  const code = message.kind === 'error' ? message.code : undefined
  const port = message.kind === 'peer' ? BigInt(message.port) : undefined
  return [
    difference('kind', expected.kind, kind),
    expected.code === undefined ? null : difference('code', expected.code, code),
    expected.port === undefined ? null : difference('port', expected.port, port),
  ]
}

const operations: Readonly<Record<string, (given: Case) => Differences>> = { hail, beacon, publish, server }

/** Messages of the proof-of-activity socket (PROTOCOL 5). */
export const check: Check = {
  kind: 'gateway messages',
  recognises: (file) =>
    everyCaseHas(file, 'op', 'message') &&
    casesOf(file).every(({ op }) => Object.hasOwn(operations, asText(op))),
  run: (file) =>
    casesOf(file).map((given) =>
      judge(nameOf(given), () => operations[asText(given.op)]?.(given) ?? ['unknown operation']),
    ),
}
