import { encodeReferralCode } from '@hailstone/protocol'
import { useMiner } from '@hailstone/react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useApp, useEngine, usePreferences, useTexts } from '../app/app-context.ts'
import { takeAgent } from '../app/take-agent.ts'
import { ActionButton } from '../parts/busy-button.tsx'
import { Page } from '../parts/page.tsx'
import { AgentForm } from './agent-form.tsx'

/** Changes the referral agent. Earlier publications keep theirs. */
export function AgentView(): ReactNode {
  const { host, announce, preferences } = useApp()
  const { text } = useTexts()
  const engine = useEngine()
  const { address } = useMiner()
  const { invitedBy } = usePreferences()
  const [, go] = useLocation()
  const agent = engine?.agent ?? null
  async function choose(next: typeof agent): Promise<void> {
    await host.leader.setAgent(next)
    preferences.set(takeAgent(preferences.snapshot(), { own: address, before: agent, next }))
  }
  const done = (): void => {
    announce(text('agent.changed'))
    go('/invite')
  }
  return (
    <Page title={text('agent.change')} back="/invite">
      <p>{text('agent.changeText')}</p>
      <AgentForm
        own={address}
        first={invitedBy?.code ?? (agent === null ? '' : encodeReferralCode(agent))}
        takeLabel={text('agent.take')}
        onTake={choose}
        onDone={done}
      >
        {agent !== null && (
          <ActionButton className="button button-quiet" act={() => choose(null)} onDone={done}>
            {text('agent.none')}
          </ActionButton>
        )}
      </AgentForm>
    </Page>
  )
}
