// Without a file of its own, Vitest takes the settings of a folder above this one.
import { defineConfig } from 'vitest/config'

export default defineConfig({})
