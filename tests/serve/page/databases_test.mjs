// The explorer of several databases.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe } from 'node:test'
import { sampleFiles } from './server.mjs'
import { SAMPLES, browser, serve, text, using } from './support.mjs'

serve(sampleFiles(SAMPLES), [join(SAMPLES, 'classics.pgn')])

describe('several databases', () => {
    using('explorer: two databases side by side', '?play=e2e4', {}, async (page) => {
        const tables = page.getByRole('table', { name: 'Moves played from this position' })
        const games = (at) => tables.nth(at).locator('tfoot .num').first()
        const told = await page.evaluate(() =>
            Promise.all(
                ['', '&database=1', '&database=2'].map(async (which) => {
                    const answer = await fetch(`api/v1/tree?play=e2e4${which}`)
                    return (await answer.json()).games
                }),
            ),
        )
        assert.equal(told[0], told[1] + told[2])
        assert.equal(Number(await text(games(0))), told[0])
        await page.getByLabel('Databases').selectOption('samples.db beside samples-2.db')
        await page.waitForURL(/databases=1,2/)
        await page.getByRole('heading', { name: 'samples-2.db', exact: true }).waitFor()
        await browser.quiet(page)
        assert.deepEqual([Number(await text(games(0))), Number(await text(games(1)))], told.slice(1))
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.equal(sideways, 0)
        await browser.axe(page)
        const trees = page.getByRole('link', { name: 'Tree as PGN' })
        assert.match(await trees.nth(1).getAttribute('href'), /&database=2$/)
        // A game of the second database is opened as such.
        const last = page.getByRole('list', { name: 'Recent games · samples-2.db' })
        assert.match(await last.getByRole('link').first().getAttribute('href'), /game=2:/)
        // A move of either table is played in both.
        await tables.nth(1).getByRole('link', { name: 'e5', exact: true }).click()
        await page.waitForURL(/play=e2e4,e7e5/)
        await browser.quiet(page)
        assert.equal(await tables.count(), 2)
        await page.getByLabel('Databases').selectOption('samples-2.db')
        await page.waitForURL(/databases=2$/)
        await browser.quiet(page)
        assert.equal(await tables.count(), 1)
        // The games tell their events.
        const list = page.getByRole('list', { name: 'Recent games' })
        assert.notEqual(await text(list.locator('.event').first()), '')
    })

    using('every view asks the database that is chosen', '?view=games', {}, async (page) => {
        const select = page.getByLabel('Databases')
        assert.equal(await select.locator('option').count(), 3) // no pairs, which are the explorer's
        const found = page.getByRole('heading', { level: 2, name: /games/ }).first()
        const games = async () => parseInt(await text(found))
        const all = await games()
        await select.selectOption('samples-2.db')
        await page.waitForURL(/databases=2/)
        await browser.quiet(page)
        const second = await games()
        assert.ok(second < all)
        const list = page.getByRole('list', { name: 'Games' }).getByRole('link')
        assert.match(await list.first().getAttribute('href'), /game=2:/)
        const href = await page.getByRole('link', { name: 'Download' }).getAttribute('href')
        const exported = await page.evaluate(async (target) => (await fetch(target)).text(), href)
        assert.equal(exported.match(/^\[Event /gm).length, second)
        // Patterns ask it as well, and one prepares against a player in one database.
        await page.getByRole('link', { name: 'Patterns' }).click()
        await page.getByRole('button', { name: 'Rook and pawn against rook' }).click()
        await page.waitForURL(/databases=2/)
        await browser.quiet(page)
        await page.goto(`${browser.base}?view=prepare&name=morphy&databases=2`)
        await browser.quiet(page)
        assert.equal(await page.getByRole('alert').count(), 0)
        await page.getByRole('heading', { name: /Morphy/ }).first().waitFor()
    })
})
