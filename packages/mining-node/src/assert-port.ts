import { assertArgument } from '@hailstone/protocol'

const MAX_PORT = 65_535

/** @throws {NodeError} `ARGUMENT_INVALID` */
export function assertPort(port: unknown): void {
  const isPort = typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= MAX_PORT
  assertArgument(isPort, 'port', 'a whole number from 0 to 65535', port)
}
