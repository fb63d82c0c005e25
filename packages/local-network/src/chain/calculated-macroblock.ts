import type { ClosedMacroblock } from '@hailstone/ledger'
import type { SealedMacroblock } from './seal-macroblock.ts'

/** A macroblock that is calculated and final, with the key block that closed it. */
export type CalculatedMacroblock = SealedMacroblock & { readonly closed: ClosedMacroblock }
