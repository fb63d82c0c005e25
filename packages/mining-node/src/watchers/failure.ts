import { isNodeError, type NodeError } from '@hailstone/protocol'

/** Receives what went wrong while watching; the last good value stays. */
export type OnError = (error: NodeError) => void

/** Narrows what was caught: ours is reported, anything else is a fault of the program and goes on. */
export function asNodeError(error: unknown): NodeError {
  if (isNodeError(error)) return error
  throw error
}
