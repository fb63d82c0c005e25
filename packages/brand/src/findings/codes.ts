import { chainCodes } from './chain-codes.ts'
import type { CodeEntry } from './code-entry.ts'
import { deliveryCodes } from './delivery-codes.ts'
import { fileCodes } from './file-codes.ts'
import { lookCodes } from './look-codes.ts'

export type { CodeEntry, Severity } from './code-entry.ts'

/**
 * All finding codes. Codes and names are only added: never renamed, reused or removed. The letter is part of the
 * name. The severity is in `severity` and for some codes depends on the environment.
 */
export const codes = {
  ...fileCodes,
  ...chainCodes,
  ...lookCodes,
  ...deliveryCodes,
} as const satisfies Readonly<Record<string, CodeEntry>>

/** Name of a finding, such as `invite-link-missing`. */
export type FindingName = keyof typeof codes

/** A code such as `E104`. */
export type FindingCode = (typeof codes)[FindingName]['code']

export const findingNames = Object.keys(codes) as readonly FindingName[]

export const isFindingName = (text: unknown): text is FindingName =>
  typeof text === 'string' && Object.hasOwn(codes, text)
