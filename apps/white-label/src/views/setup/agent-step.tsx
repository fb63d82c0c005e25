import { type Address, encodeReferralCode } from '@hailstone/protocol'
import type { ReactNode } from 'react'
import { useApp, usePreferences, useTexts } from '../../app/app-context.ts'
import { takeAgent } from '../../app/take-agent.ts'
import { ActionButton } from '../../parts/busy-button.tsx'
import { AgentForm } from '../agent-form.tsx'
import { SetupFrame } from './setup-frame.tsx'

/** Setup step for the referral agent. Prefilled from the link, else with the brand's default. */
export function AgentStep({ address }: { readonly address: Address }): ReactNode {
  const { brand, host, preferences } = useApp()
  const { text } = useTexts()
  const { invitedBy } = usePreferences()
  const { defaultAgent, userCanChange } = brand.referral
  const fallback = defaultAgent === null ? '' : encodeReferralCode(defaultAgent)

  async function choose(agent: Address | null): Promise<void> {
    await host.leader.setAgent(agent)
    await host.account.setStep('done')
    preferences.set(takeAgent(preferences.snapshot(), { own: address, before: null, next: agent }))
  }
  if (!userCanChange && defaultAgent !== null) {
    return (
      <SetupFrame title={text('agent.title')} step={4}>
        <p>{text('agent.fixed')}</p>
        <p className="hash">{fallback}</p>
        <ActionButton className="button button-primary" act={() => choose(defaultAgent)}>
          {text('common.continue')}
        </ActionButton>
      </SetupFrame>
    )
  }
  return (
    <SetupFrame title={text('agent.title')} step={4}>
      <p>{text('agent.text')}</p>
      <AgentForm
        own={address}
        first={invitedBy?.code ?? fallback}
        takeLabel={text('agent.take')}
        onTake={choose}
      >
        <ActionButton className="button button-quiet" act={() => choose(null)}>
          {text('agent.skip')}
        </ActionButton>
      </AgentForm>
    </SetupFrame>
  )
}
