import {
  assertArgument,
  isNodeError,
  NodeError,
  type ParameterKinds,
  type Parameters,
} from '@hailstone/protocol'

/** Refuses misspelt names, and values of another kind. Each throws `ARGUMENT_INVALID` with the name. */
export type NameChecks = {
  readonly core: (parameters: { readonly retry?: object | undefined }) => void
  readonly client: (parameters: { readonly retry?: object | undefined }) => void
  readonly action: (name: string, given: unknown) => void
  readonly payments: (parameters: { readonly feeCap?: object | undefined }) => void
  readonly pay: (parameters: object) => void
  readonly feeCap: (cap: object) => void
}

/**
 * Checks what goes out and explains what comes back, for people. Part of `createClient`; pages that count bytes make
 * a core without it.
 */
export type Diagnostics = {
  /** @throws {NodeError} `ARGUMENT_INVALID` */
  readonly check: (parameters: Parameters, query: Readonly<Record<string, unknown>>) => void
  /** Returns the error with the whole address that was asked, and what the status may mean. */
  readonly explained: (error: unknown, asked: string) => unknown
  /** Absent in pages that are delivered: they count every byte. */
  readonly names?: NameChecks | undefined
}

type Form = readonly [form: RegExp, expected: string]

const forms: { readonly [K in keyof ParameterKinds]?: Form } = {
  address: [/^0[23][\da-f]{64}$/i, 'an address, 02 or 03 and 64 hex digits'],
  tokenId: [/^[\da-f]{64}$/i, 'a token id, 64 hex digits'],
  hash: [/^(?:[\da-fA-F]{64}|[A-Z\d_]{1,32})$/, 'a hash, 64 hex digits'],
  text: [/^/, 'a text'],
  units: [/^\d+$/, "a bigint, such as 25n or parseAmount('25', token)"],
}

const typeOf: { readonly [K in keyof ParameterKinds]?: string } = {
  height: 'number',
  page: 'number',
  count: 'number',
  units: 'bigint',
}

/** Heights, pages and counts. */
const wholeNumber: Form = [/^\d+$/, 'a whole number, 0 or above']

function check(parameters: Parameters, query: Readonly<Record<string, unknown>>): void {
  for (const [name, { kind, isOptional }] of Object.entries(parameters)) {
    const value = query[name]
    const [form, expected] = forms[kind] ?? wholeNumber
    const type = typeOf[kind] ?? 'string'
    const isRight = typeof value === type && form.test(String(value))
    assertArgument(value === undefined ? isOptional : isRight, name, expected, value)
  }
}

function explained(error: unknown, asked: string): unknown {
  if (!isNodeError(error) || !/^(?:HTTP_STATUS|REQUEST_)/.test(error.code)) return error
  const { code, facts, cause, message } = error as NodeError<'HTTP_STATUS'>
  const { hint } = hintOf(facts)
  // The sentence names the path alone, which is all that a page without this module says.
  const named = message.replace(facts.path, () => asked)
  const sentence = (): string => (hint === undefined ? named : `${named} ${hint}`)
  return new NodeError(code, { ...facts, asked, ...hintOf(facts) }, { cause }, { [code]: sentence })
}

function hintOf({ status, message }: NodeError<'HTTP_STATUS'>['facts']): { readonly hint?: string } {
  if (status === 426) return { hint: 'This is a gateway: pass it as gatewayUrl, and the API as apiUrl.' }
  if (status === 404 && message === null) return { hint: 'Does the address of the API end in /api/v1?' }
  return {}
}

export const diagnostics: Diagnostics = { check, explained }
