import { type Loaded, textsOnUse } from './later-texts.ts'
import type english from './payout/en.json'

export type PayoutKey = keyof typeof english

/** The texts of the payout view, loaded on first use; null while they load. */
export const usePayoutTexts = textsOnUse<PayoutKey>(import.meta.glob<Loaded>('./payout/*.json'))
