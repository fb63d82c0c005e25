import { queryObjects } from 'node:v8'

/**
 * Returns the number of objects, functions and closures included, that this process holds, after a garbage collection.
 * A leak grows it by whole numbers, which no other program on the machine changes, unlike bytes of memory.
 */
export const liveObjects = (): number => queryObjects(Object, { format: 'count' })
