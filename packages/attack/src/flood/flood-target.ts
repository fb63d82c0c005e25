import type { NetworkAccess } from './network-process.ts'

/** Parameters of a flood in its own process. It runs until the signal aborts. */
export type FloodTarget = NetworkAccess & { readonly signal: AbortSignal }

/** Counts for the report, such as connections that were opened. */
export type FloodCounts = Readonly<Record<string, number>>
