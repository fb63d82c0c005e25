import type { NodeError } from './errors/node-error.ts'
import { textError } from './errors/text-error.ts'

/** The contracts of the network by name and the code that marks them in `data` (PROTOCOL 7.3). */
const contractCodes = {
  custom: '0100',
  create_token: '0200',
  delegate: '0300',
  undelegate: '0400',
  create_pos: '1000',
  pos_reward: '1100',
  transfer: '1200',
  mint: '1300',
  burn: '1400',
} as const

/** `exchange` stands for all codes of exchanges and farms, which are not distinguished here. */
export type ContractType = keyof typeof contractCodes | 'exchange'

const typesByCode: ReadonlyMap<string, ContractType> = new Map([
  ...Object.entries(contractCodes).map(([type, code]) => [code, type as ContractType] as const),
  ...Array.from({ length: 0x22 - 0x15 + 1 }, (_, at) => (0x15 + at).toString(16)).map(
    (byte) => [`${byte}00`, 'exchange'] as const,
  ),
])

const PARAMETERS = '0f00'
const KEY = '0d00'
const OBJECT = '0c00'
const valueCodes = { string: '0700', int: '0800', bigint: '0900', float: '0a00' } as const

/** A parameter with its wire type. All numbers are integers; `object` keeps its raw text. */
export type ContractParameter =
  | { readonly key: string; readonly type: 'string' | 'object'; readonly value: string }
  | { readonly key: string; readonly type: 'int' | 'bigint' | 'float'; readonly value: bigint }

/** An order to the network, encoded in the `data` of a payment. For a repeated key the last value counts. */
export type Contract = { readonly type: ContractType; readonly parameters: readonly ContractParameter[] }

const HEADER_DIGITS = 8

/**
 * Parses the first four characters as the network does: leading blanks, a `0x` and anything after the last hex digit
 * are skipped. `c   ` is therefore a length of twelve.
 */
const lenientLength = (text: string): number => Number.parseInt(text.slice(0, 4), 16)

/**
 * True if the network takes `data` for a contract: it begins with its length, followed by a known code (PROTOCOL
 * 7.3). A memo can match by accident and is then refused; warn before it is signed.
 */
export const looksLikeContract = (data: string): boolean =>
  lenientLength(data) === data.length && typesByCode.has(data.slice(4, HEADER_DIGITS))

/**
 * True if newer nodes take `data` for a contract of a kind that others do not have: codes 2300 to 2500 and 2700 to 2c00
 * (PROTOCOL 2.5). Such a memo is refused on one node and executed on the next.
 */
export const looksLikeNewerContract = (data: string): boolean =>
  lenientLength(data) === data.length && /^2[3-57-9a-c]00/.test(data.slice(4))

const chunk = (code: string, payload: string): string =>
  (payload.length + HEADER_DIGITS).toString(16).padStart(4, '0') + code + payload

const encodeParameter = ({ key, type, value }: ContractParameter): string =>
  chunk(KEY, key) + chunk(type === 'object' ? OBJECT : valueCodes[type], value.toString())

/** Encodes a contract. The text may exceed the 512 characters of `data`; check before signing. */
export const encodeContract = (contract: {
  readonly type: Exclude<ContractType, 'exchange'>
  readonly parameters: readonly ContractParameter[]
}): string =>
  chunk(contractCodes[contract.type], chunk(PARAMETERS, contract.parameters.map(encodeParameter).join('')))

const malformed = (reason: string): NodeError => textError('CONTRACT_MALFORMED', { reason })

type Chunk = { readonly code: string; readonly payload: string }

function chunksOf(text: string): readonly Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 0; at < text.length; ) {
    const length = lenientLength(text.slice(at))
    if (!(length >= HEADER_DIGITS) || at + length > text.length) throw malformed('a part is cut off')
    chunks.push({
      code: text.slice(at + 4, at + HEADER_DIGITS),
      payload: text.slice(at + HEADER_DIGITS, at + length),
    })
    at += length
  }
  return chunks
}

function wholeNumber(text: string, type: 'int' | 'bigint' | 'float'): bigint {
  const digits = (type === 'float' ? /^(-?\d+)(?:\.\d*)?$/ : /^(-?\d+)$/).exec(text)?.[1]
  if (digits === undefined) throw malformed('a number has something else than digits')
  return BigInt(digits)
}

function decodeParameter(key: Chunk, value: Chunk | undefined): ContractParameter {
  if (key.code !== KEY || value === undefined) throw malformed('keys and values do not pair')
  switch (value.code) {
    case valueCodes.string:
      return { key: key.payload, type: 'string', value: value.payload }
    case OBJECT:
      return { key: key.payload, type: 'object', value: value.payload }
    case valueCodes.int:
      return { key: key.payload, type: 'int', value: wholeNumber(value.payload, 'int') }
    case valueCodes.bigint:
      return { key: key.payload, type: 'bigint', value: wholeNumber(value.payload, 'bigint') }
    case valueCodes.float:
      return { key: key.payload, type: 'float', value: wholeNumber(value.payload, 'float') }
    default:
      throw malformed('a value has an unknown type')
  }
}

/**
 * Decodes a contract from `data`.
 *
 * @throws {NodeError} `CONTRACT_MALFORMED`; POST /tx answers such data with HTTP 500 if it looks like a contract
 */
export function decodeContract(data: string): Contract {
  const type = typesByCode.get(data.slice(4, HEADER_DIGITS))
  if (type === undefined || !looksLikeContract(data)) throw malformed('it has no contract in front')
  const [parameters, ...others] = chunksOf(data.slice(HEADER_DIGITS))
  if (parameters?.code !== PARAMETERS || others.length > 0) throw malformed('it has no list of parameters')
  const chunks = chunksOf(parameters.payload)
  return {
    type,
    parameters: chunks.flatMap((key, at) => (at % 2 === 0 ? [decodeParameter(key, chunks[at + 1])] : [])),
  }
}
