// The bot alone, for a network and a receiver that run elsewhere. Ctrl-C ends it.
import { closeBot } from './bot.ts'

// Not `once`: npm may repeat a Ctrl-C, and the second one would end the process before everything is closed.
process.on('SIGINT', () => void closeBot())
process.on('SIGTERM', () => void closeBot())
