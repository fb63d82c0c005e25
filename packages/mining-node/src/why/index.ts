/** Answers to what miners ask, as facts that every language words its own way, with the English sentences. */
export { isUnseen, readSeen, type Seen, seenSentence, type UnseenReason } from './seen.ts'
