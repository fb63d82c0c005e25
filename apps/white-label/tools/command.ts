import { startCommand as start } from '@hailstone/brand/tools'
import { appFolder } from './build-brand.ts'

/** Runs `hailstone-brand` with this app, with the arguments and the terminal of this process. */
export const startCommand = (): Promise<void> => start(appFolder())
