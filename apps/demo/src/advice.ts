import { isNodeError } from '@hailstone/mining-node'
import { systemFaultOf } from '@hailstone/runtime/node'
import type { DemoOptions } from './options.mjs'
import { portAdvice, secondDemoLine } from './taken-port.mjs'

/** The port that another program has, when that is what is wrong. */
function portInUse(error: Error): number | null {
  if (isNodeError(error, 'PORT_IN_USE')) return error.facts.port
  const { code, port } = error as Error & { readonly code?: unknown; readonly port?: unknown }
  return code === 'EADDRINUSE' && typeof port === 'number' ? port : null
}

/** Returns the error and advice for the person at the terminal. */
export function adviceFor(error: Error, options: DemoOptions): string {
  const port = portInUse(error)
  if (port !== null) return portAdvice(port, options)
  if (isNodeError(error, 'STORE_LOCKED')) {
    return (
      `${error.message}\nIs another demo running? End it with Ctrl-C, or run a second one beside it:\n` +
      secondDemoLine(options)
    )
  }
  if (isNodeError(error, 'CONFIGURATION_INVALID') && error.facts.path === 'seed') {
    return (
      `${error.message}\nThe chain in ${options.dataDirectory} is kept between runs. ` +
      'Leave --seed away to go on with it, or add --reset to forget it and begin anew.'
    )
  }
  if (isNodeError(error, 'STORE_INVALID')) {
    return `${error.message}\nForget the chain in ${options.dataDirectory} and begin anew: npm start -- --reset`
  }
  const fault = systemFaultOf(error)
  if (fault !== null) {
    const remedy = /\((?:ENOSPC|EDQUOT)\)/.test(fault)
      ? 'Make room, or choose another folder'
      : 'Choose a folder that can be written'
    return `${fault}\n${remedy}: npm start -- --data FOLDER`
  }
  return error.message
}
