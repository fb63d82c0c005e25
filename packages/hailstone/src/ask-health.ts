import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

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
