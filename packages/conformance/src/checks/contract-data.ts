import {
  type Contract,
  type ContractParameter,
  type ContractType,
  decodeContract,
  encodeContract,
  type JsonValue,
  looksLikeContract,
} from '@hailstone/protocol'
import {
  asList,
  asObject,
  asText,
  type Case,
  casesOf,
  difference,
  everyCaseHas,
  judge,
  nameOf,
} from '../case.ts'
import type { Check } from '../check.ts'

const LONGEST_DATA = 512

function readParameter(value: JsonValue): ContractParameter {
  const given = asObject(value)
  const key = asText(given.key)
  for (const type of ['int', 'bigint', 'float'] as const) {
    if (given[type] !== undefined) return { key, type, value: BigInt(asText(given[type])) }
  }
  return { key, type: 'string', value: asText(given.string) }
}

function encoding(given: Case, data: string): readonly (string | null)[] {
  const contract: Contract = {
    type: asText(given.type) as ContractType,
    parameters: asList(given.parameters).map(readParameter),
  }
  if (contract.type === 'exchange') return [`the contract type ${contract.type} is not known`]
  return [
    difference('data', data, encodeContract({ ...contract, type: contract.type })),
    difference('decoded', contract, decodeContract(data)),
    difference('length', BigInt(asText(given.length ?? data.length)), BigInt(data.length)),
    difference('fits 512', given.fits_512 ?? data.length <= LONGEST_DATA, data.length <= LONGEST_DATA),
  ]
}

function compare(given: Case): readonly (string | null)[] {
  const data = asText(given.data)
  const isContract = given.is_contract ?? true
  return [
    difference('is a contract', isContract, looksLikeContract(data)),
    ...(given.parameters === undefined ? [] : encoding(given, data)),
  ]
}

export const check: Check = {
  kind: 'contract data',
  recognises: (file) =>
    everyCaseHas(file, 'data') &&
    casesOf(file).every((given) => given.is_contract !== undefined || given.parameters !== undefined),
  run: (file) => casesOf(file).map((given) => judge(nameOf(given), () => compare(given))),
}
