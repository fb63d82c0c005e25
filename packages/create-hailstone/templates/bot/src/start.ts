// The bot alone, for a network and a receiver that run elsewhere. Ctrl-C ends it.
import { closeBot } from './bot.ts'

process.once('SIGINT', () => void closeBot())
process.once('SIGTERM', () => void closeBot())
