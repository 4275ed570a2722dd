import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { inlinePlugin } from './inline.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** `npx vite build ui` writes src/reports/page.ts; `npx vite ui` serves the page with the sample record. */
export default defineConfig({
  root: here('.'),
  plugins: [inlinePlugin(readFileSync(here('index.html'), 'utf8'))],
  build: {
    target: 'es2022',
    outDir: here('../src/reports'),
    emptyOutDir: false,
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rolldownOptions: { input: here('src/main.ts') },
  },
});
