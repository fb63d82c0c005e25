import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { networkInterfaces } from 'node:os'
import { isLoopbackHost } from '@hailstone/runtime'

export type HealthAnswer = { readonly status: number; readonly text: string }

/** For the whole answer. */
const TIMEOUT_MS = 3_000
const MAX_CHARACTERS = 1_048_576

/** Reads an address of health; null if nobody answers there in time. Redirects are not followed. */
export function askHealth(url: URL, token?: string | undefined): Promise<HealthAnswer | null> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve) => {
    const asked = request(url, { headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > MAX_CHARACTERS) asked.destroy()
      })
      response.on('end', () => finish({ status: response.statusCode ?? 0, text }))
      response.on('close', () => finish(null))
    })
    // Of the whole exchange: a server that sends a byte now and then would never be silent.
    const timer = setTimeout(() => asked.destroy(), TIMEOUT_MS)
    const finish = (answer: HealthAnswer | null): void => {
      clearTimeout(timer)
      resolve(answer)
    }
    asked.on('error', () => finish(null))
    asked.end()
  })
}

/** True for a host that is an address of this machine. A name may mean another one, `localhost` apart. */
export function isOfThisMachine(hostname: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return isLoopbackHost(hostname) || own.some(({ address }) => [address, `[${address}]`].includes(hostname))
}

/**
 * Reads the address that a running process recorded, as {@link askHealth}. Only addresses of this machine get the token:
 * a service could record one of somebody who collects tokens.
 */
export function askRecorded(healthUrl: string, token: string | undefined): Promise<HealthAnswer | null> {
  const url = new URL(healthUrl)
  return askHealth(url, isOfThisMachine(url.hostname) ? token : undefined)
}
