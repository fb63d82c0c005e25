import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { useEngine } from '../../app/app-context.ts'
import { AgentStep } from './agent-step.tsx'
import { ImportStep } from './import-step.tsx'
import { LockStep } from './lock-step.tsx'
import { QuizStep } from './quiz-step.tsx'
import { WelcomeStep } from './welcome-step.tsx'
import { WordsStep } from './words-step.tsx'

/** The first run. The engine keeps how far it has come, so it goes on where it was left. */
export default function SetupView(): ReactNode {
  const engine = useEngine()
  const [isImporting, setImporting] = useState(false)
  const [isAgreed, setAgreed] = useState(false)
  const account = engine?.account
  const hasBegun = account?.status === 'setup'
  useEffect(() => {
    if (hasBegun) setImporting(false)
  }, [hasBegun])
  if (account?.status !== 'setup') {
    const lost = account?.status === 'none' ? account.lost : []
    if (isImporting) return <ImportStep onBack={() => setImporting(false)} />
    return (
      <WelcomeStep lost={lost} isAgreed={isAgreed} onAgree={setAgreed} onImport={() => setImporting(true)} />
    )
  }
  switch (account.step) {
    case 'words':
      return <WordsStep />
    case 'quiz':
      return <QuizStep />
    case 'lock':
      return <LockStep />
    default:
      return <AgentStep address={account.address} />
  }
}
