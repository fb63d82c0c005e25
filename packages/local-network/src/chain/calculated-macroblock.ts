import type { ClosedMacroblock } from '../ledger/close-macroblock.ts'
import type { SealedMacroblock } from './seal-macroblock.ts'

/** A macroblock that is calculated and final, with the key block that closed it. */
export type CalculatedMacroblock = SealedMacroblock & { readonly closed: ClosedMacroblock }
