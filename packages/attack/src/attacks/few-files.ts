import { defineFlood } from '../flood/define-flood.ts'
import { manyConnections } from './many-connections.ts'

/** `many-connections` on a system that gives a process next to no open files. */
export const fewFiles = defineFlood({
  name: 'few-files',
  row: 'A-8',
  what: 'the same connections to a network that has 448 open files',
  openFiles: 448,
  flood: manyConnections.flood,
})
