import { isIP } from 'node:net'
import { isLoopbackHost } from '@hailstone/runtime'
import type { FastifyInstance } from 'fastify'
import { ApiRefusal } from './api-refusal.ts'

export type HostRules = {
  /** The address that is listened on. */
  readonly bound: string
  /** Names that are answered besides; `*` is every name. */
  readonly allowed: readonly string[]
}

/** The name in a Host header: lower case, without port, brackets and the dot of the root. */
export function hostNameOf(authority: string): string {
  const [, name = authority] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(authority.trim()) ?? []
  return name
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
}

const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::'

/**
 * True if this server answers for a host name. A web page can point a name of its own at this machine, and its
 * scripts would then read and post as if they belonged here; no page can do that with an address or with a name that
 * always means this machine.
 */
export function isAnswered(host: string, { bound, allowed }: HostRules): boolean {
  if (isLoopbackHost(host) || host === hostNameOf(bound)) return true
  if (isAnyAddress(bound) && isIP(host) !== 0) return true
  return allowed.includes('*') || allowed.map(hostNameOf).includes(host)
}

/** Refuses requests for foreign names with 403. Requests without a name come from no browser. */
export function answerForOwnHosts(server: FastifyInstance, rules: HostRules): void {
  server.addHook('onRequest', async ({ headers }) => {
    if (headers.host === undefined) return
    const host = hostNameOf(headers.host)
    if (isAnswered(host, rules)) return
    throw new ApiRefusal(
      403,
      `This node does not answer for the host ${host}; --allow-host would change that.`,
    )
  })
}
