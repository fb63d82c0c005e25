import type { JSX } from 'preact'

export const Loading = (): JSX.Element => (
  <p class="loading" role="status">
    Reading …
  </p>
)

export const Problem = ({ text }: { readonly text: string }): JSX.Element => (
  <p class="problem" role="alert">
    {text}
  </p>
)
