import { type Loaded, textsOnUse } from './later-texts.ts'
import type english from './payout/en.json'

export type PayoutKey = keyof typeof english

/** The texts of the view of payouts, loaded with it; null until they are there. */
export const usePayoutTexts = textsOnUse<PayoutKey>(import.meta.glob<Loaded>('./payout/*.json'))
