import { FEED_BYTES, FEED_MS } from '@hailstone/brand/runtime'

async function readText({ body }: Response): Promise<string | null> {
  if (body === null) return null
  const reader = body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.length
    if (size > FEED_BYTES) {
      await reader.cancel()
      return null
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** Fetches a small text from another host, which learns nothing but the request. Null if anything is wrong. */
export async function fetchFeed(url: string): Promise<string | null> {
  try {
    const answer = await fetch(url, {
      cache: 'no-cache',
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(FEED_MS),
    })
    return answer.ok ? await readText(answer) : null
  } catch {
    return null
  }
}
