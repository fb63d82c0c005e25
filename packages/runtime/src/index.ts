export { canParseUrl, isLoopbackHost, isPrivateHost } from './hosts.ts'
export { misspeltName } from './misspelt-name.ts'
export { nearestWord } from './nearest-word.ts'
export { wordsOf } from './words-of.ts'
