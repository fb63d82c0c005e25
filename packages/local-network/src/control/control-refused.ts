import { hostError, type NodeError } from '@hailstone/protocol'

/** Returns the error of a step that leaves the network as it is. */
export const controlRefused = (reason: string): NodeError => hostError('CONTROL_REFUSED', { reason })
