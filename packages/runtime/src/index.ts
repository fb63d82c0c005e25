export { isLoopbackHost, isPrivateHost } from './hosts.ts'
