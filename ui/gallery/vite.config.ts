import { defineConfig } from 'vite'
import { appBuild } from '../api/app-build.ts'

/** `npx vite ui/gallery` shows every component in every state; it is part of neither app. */
export default defineConfig({
  ...appBuild({ app: 'portal', base: '/', developmentPort: 5175 }),
  root: import.meta.dirname,
})
