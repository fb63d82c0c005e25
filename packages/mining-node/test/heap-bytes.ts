import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Of this process, with everything collected that nobody holds. */
export function heapBytes(): number {
  for (let round = 0; round < 3; round++) collectGarbage()
  return process.memoryUsage().heapUsed
}
