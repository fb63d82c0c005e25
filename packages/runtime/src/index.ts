export { canParseUrl, isLoopbackHost, isPrivateHost } from './hosts.ts'
export { nearestWord } from './nearest-word.ts'
export { wordsOf } from './words-of.ts'
