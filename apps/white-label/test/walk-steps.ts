// Steps of walks in any engine that several tests take.
import type { Walker } from '@hailstone/test-browser'
import { PASSPHRASE } from './app-harness.ts'

/** Takes the first run with a key that exists, to the end of it; without referrals there is no question for an agent. */
export async function importAccount(
  { press, fill, until }: Walker,
  privateKey: string,
  { hasReferrals = true }: { readonly hasReferrals?: boolean | undefined } = {},
): Promise<void> {
  await press('I accept the terms and the privacy policy.')
  await press('I have a wallet')
  await fill('12 or 24 words, or a private key', privateKey)
  await press('Import')
  await fill('Passphrase', PASSPHRASE)
  await fill('Passphrase again', PASSPHRASE)
  await press('Set passphrase')
  if (!hasReferrals) return
  await until('Who invited you?')
  await press('Continue without an agent')
}

/** Navigates inside the app, as a link does. */
export const goTo = ({ evaluate }: Walker, path: string): Promise<unknown> =>
  evaluate(`(history.pushState(null, '', '${path}'), dispatchEvent(new PopStateEvent('popstate')))`)
