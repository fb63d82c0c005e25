import { Webhook } from 'standardwebhooks'

type Received = { readonly body: string; readonly headers: Record<string, string>; readonly secret: string }

/** Returns the event of a request. Throws for a request that is not ours, and for one of another day. */
export function eventOf({ body, headers, secret }: Received) {
  return new Webhook(secret).verify(body, headers) as { readonly type: string; readonly data: unknown }
}
