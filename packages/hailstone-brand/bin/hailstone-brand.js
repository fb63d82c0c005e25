#!/usr/bin/env node
import { startCommand } from '@hailstone/white-label/command'

await startCommand()
