import { NodeError } from '@hailstone/protocol'
import { deepFreeze } from '../layers/deep-freeze.ts'
import { type RuntimeBrand, runtimeBrandSchema } from './runtime-brand.ts'

/** Largest `brand.json`, in characters. */
export const LARGEST_BRAND = 64_000

/**
 * Parses the `brand.json` of a build. It is checked again at load: a file modified on its way to the browser must not
 * reach the screen.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID` with the wrong path
 */
export function readRuntimeBrand(text: string): RuntimeBrand {
  if (text.length > LARGEST_BRAND) throw invalid('brand.json', `at most ${LARGEST_BRAND} characters`, 'more')
  const result = runtimeBrandSchema.safeParse(parsed(text))
  if (result.success) return deepFreeze(result.data) as RuntimeBrand
  const [issue] = result.error.issues
  throw invalid(
    `brand.json ${issue?.path.map(String).join('.') ?? ''}`,
    'what hailstone-brand build writes',
    issue?.code ?? 'another',
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalid('brand.json', 'JSON', 'another text', { cause })
  }
}

const invalid = (path: string, expected: string, found: string, options?: ErrorOptions): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path, expected, found }, options)
