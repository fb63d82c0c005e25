import { install, turbo } from './bootstrap.mjs'

install()
turbo(...process.argv.slice(3), ...(process.argv[2] === 'run' ? [] : [process.argv[2]]))
