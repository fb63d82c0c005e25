import { expect, it } from 'vitest'
import { installCommand, packageManagerOf, runCommandLine } from './package-manager.ts'

it.each([
  ['npm/11.19.1 node/v20.20.2 linux x64 workspaces/false', 'npm', 'npm install', 'npm run dev'],
  ['pnpm/12.21.0 npm/? node/v24.21.0 linux x64', 'pnpm', 'pnpm install', 'pnpm dev'],
  ['yarn/1.22.22 npm/? node/v22.0.0 linux x64', 'yarn', 'yarn', 'yarn dev'],
  ['bun/1.3.0 npm/? node/v24.0.0 linux x64', 'bun', 'bun install', 'bun run dev'],
  [undefined, 'npm', 'npm install', 'npm run dev'],
] as const)('knows %s', (userAgent, name, install, run) => {
  expect(packageManagerOf(userAgent)).toBe(name)
  expect([installCommand(name), runCommandLine(name, 'dev')]).toStrictEqual([install, run])
})
