import { defineConfig } from 'vite'
import { appBuild } from '../ui/api/app-build.ts'

export default defineConfig(appBuild({ app: 'portal', base: '/', developmentPort: 5173 }))
