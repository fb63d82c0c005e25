import { type ReactNode, Suspense, useEffect } from 'react'
import { useApp, useEngine, usePreferences, useTexts } from '../../app/app-context.ts'
import { isAgeDue } from '../../app/consent.ts'
import { consentWith } from '../../app/consent-with.ts'
import { useAgreement } from '../../parts/legal-parts.tsx'
import { loaded } from '../../parts/loaded.tsx'
import { Splash } from '../../parts/splash.tsx'
import { useTrail } from './use-trail.ts'
import { WelcomeStep } from './welcome-step.tsx'

const AgentStep = loaded(() => import('./agent-step.tsx'), 'AgentStep')
const AgeStep = loaded(() => import('./age-step.tsx'), 'AgeStep')
// The first page is read before a key is typed or a passphrase chosen, so it does not wait for the code of what follows.
const ImportStep = loaded(() => import('./import-step.tsx'), 'ImportStep')
const LockStep = loaded(() => import('./lock-step.tsx'), 'LockStep')
const WordsStep = loaded(() => import('./words-step.tsx'), 'WordsStep')
const QuizStep = loaded(() => import('./quiz-step.tsx'), 'QuizStep')
const UnlockStep = loaded(() => import('./unlock-step.tsx'), 'UnlockStep')

/**
 * The first run. Nothing is stored before a passphrase is set. From then on the engine stores the step, and an
 * interrupted run continues there. While the code of a step is loaded this stays, with the steps
 * so far.
 */
export function SetupView(): ReactNode {
  const { brand, preferences, host } = useApp()
  const { language } = useTexts()
  const { consent } = usePreferences()
  const engine = useEngine()
  const [isAgreed, setAgreed] = useAgreement()
  const account = engine?.account
  const isStored = account?.status === 'setup'
  const isAsked = isStored && engine?.tabLock === 'open' && account.step === 'quiz'
  const trail = useTrail<'nothing' | 'import' | 'new' | 'imported'>('nothing', () => {
    if (isAsked) void host.account.setStep('words')
  })
  const { step: begun, goBack } = trail
  // With the passphrase the account is stored, and there is no way back to the steps before it.
  useEffect(() => {
    if (isStored) trail.restart()
  }, [isStored])
  useEffect(() => {
    if (isAsked) trail.goOn('nothing')
  }, [isAsked])
  return <Suspense fallback={<Splash on="files" />}>{present()}</Suspense>

  function present(): ReactNode {
    if (account?.status !== 'setup') {
      // Nothing is stored of a person whose age the brand asks for, until it is confirmed.
      const accept = (years?: number): void => {
        const terms = isAgreed ? { version: brand.legal.version, language } : undefined
        if (isAgreed || years !== undefined)
          preferences.set({ consent: consentWith(consent, { terms, years, atMs: Date.now() }) })
      }
      const enter = (next: 'import' | 'new'): void => {
        if (!isAgeDue(brand, consent)) accept()
        trail.goOn(next)
      }
      if (begun !== 'nothing' && isAgeDue(brand, consent)) {
        return <AgeStep onBack={goBack} onConfirm={accept} />
      }
      if (begun === 'import') return <ImportStep onBack={goBack} onTaken={() => trail.goOn('imported')} />
      if (begun !== 'nothing') {
        return <LockStep isImport={begun === 'imported'} onBack={goBack} />
      }
      return (
        <WelcomeStep
          lost={account?.status === 'none' ? account.lost : []}
          isOutdated={account?.status === 'none' && account.isOutdated}
          isAgreed={isAgreed}
          onAgree={setAgreed}
          onNew={() => enter('new')}
          onImport={() => enter('import')}
        />
      )
    }
    if (engine?.tabLock !== 'open') return <UnlockStep address={account.address} />
    switch (account.step) {
      case 'words':
        return <WordsStep address={account.address} />
      case 'quiz':
        return <QuizStep />
      default:
        return <AgentStep address={account.address} />
    }
  }
}
