import { defineConfig } from 'vite'
import { appBuild } from '../ui/api/app-build.ts'

export default defineConfig(appBuild({ app: 'office', base: '/office/', developmentPort: 5174 }))
