import { type Address, encodeReferralCode } from '@hailstone/protocol'
import type { Preferences } from '../host/preferences.ts'
import { campaignName } from './campaign-name.ts'

type Kept = Pick<Preferences, 'invitedBy' | 'campaign' | 'cameBy'>
type Change = Pick<Kept, 'invitedBy'> & Partial<Kept>

/**
 * Returns the change of what is stored once an agent was chosen. The invitation is used up; its campaign is kept only
 * if its agent is the one that was taken, and is a new one.
 */
export function takeAgent(
  { invitedBy: invitation, campaign, cameBy }: Kept,
  {
    own,
    before,
    next,
  }: { readonly own: Address; readonly before: Address | null; readonly next: Address | null },
): Change {
  const used: Change = { invitedBy: null }
  if (invitation === null || next === null || next === before) return used
  const { code } = invitation
  if (code.toLowerCase() !== encodeReferralCode(next).toLowerCase()) return used
  const name = campaignName(invitation.campaign)
  return {
    ...used,
    campaign: campaign?.address === own ? undefined : campaign,
    cameBy: { ...cameBy, [own]: name === null ? undefined : { code, name } },
  }
}
