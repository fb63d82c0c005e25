export { canParseUrl, isLoopbackHost, isPrivateHost } from './hosts.ts'
export { nearestWord } from './nearest-word.ts'
