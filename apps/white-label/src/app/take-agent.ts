import { type Address, encodeReferralCode } from '@hailstone/protocol'
import type { Invitation, Preferences } from '../host/preferences.ts'
import { campaignName } from './campaign-name.ts'

type Change = Pick<Preferences, 'invitedBy'> & Partial<Pick<Preferences, 'campaign'>>

/**
 * Returns the change of what is stored once an agent was chosen. The invitation is used up; its campaign is kept only
 * if its agent is the one that was taken, and is a new one.
 */
export function takeAgent(
  invitation: Invitation | null,
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
  return { ...used, campaign: name === null ? undefined : { address: own, code, name } }
}
