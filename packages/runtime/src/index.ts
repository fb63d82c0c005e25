export { canParseUrl, isLoopbackHost, isPrivateHost } from './hosts.ts'
