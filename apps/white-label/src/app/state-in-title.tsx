import { useEffect } from 'react'
import { useEngine, useTexts } from './app-context.ts'
import { explainMining } from './explain-mining.ts'
import { titleState } from './window-title.ts'

/** Shows the state of a wanted miner in the title of the window, for the tab that stands behind others. */
export function StateInTitle(): null {
  const { text } = useTexts()
  const engine = useEngine()
  const state = engine?.run.isWanted === true ? text(explainMining(engine).headline) : ''
  useEffect(() => titleState(state), [state])
  return null
}
