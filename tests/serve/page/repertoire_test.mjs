// The view Repertoire as people use it. Its lines stay in the browser.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { sampleFiles } from './server.mjs'
import { SAMPLES, addressOf, browser, serve, server, text, using } from './support.mjs'

serve(sampleFiles(SAMPLES))

const lines =
    '[Event "Lines"]\n\n1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3 Nc6 (2... d6) 3. Bb5 (3. Bc4) *\n'

// Drops a text as a file.
async function drop(page, content) {
    const file = await page.evaluateHandle((text) => {
        const carried = new DataTransfer()
        carried.items.add(new File([text], 'lines.pgn'))
        return carried
    }, content)
    await page.dispatchEvent('.drop', 'dragover', { dataTransfer: file })
    await page.dispatchEvent('.drop', 'drop', { dataTransfer: file })
}

describe('the repertoire', { concurrency: 2 }, () => {
    using('repertoire: dropped lines are a coloured tree', '?view=repertoire', {}, async (page) => {
        const asked = []
        page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
        await drop(page, lines)
        const tree = page.getByRole('group', { name: 'Lines of the repertoire' })
        await tree.waitFor()
        await browser.quiet(page)
        assert.match(await text(tree), /^1\.e4 \d+% e5 1…c5 2\.Nf3 \d+% d6 no answer 2\.Nf3 \d+% Nc6/)
        // What the server says is what is shown.
        const coverage = await page.evaluate(async (body) => {
            const answer = await fetch('api/v1/repertoire_coverage?color=white', { method: 'POST', body })
            return (await answer.text()).trim().split('\n').map((line) => JSON.parse(line))
        }, lines)
        const first = coverage.find(({ line }) => line === '1.e4')
        assert.equal(await text(tree.locator('.cover').first()), `${Math.floor(first.covered)}%`)
        assert.deepEqual(
            [...new Set(asked)].filter((one) => one.startsWith('POST')).sort(),
            [
                'POST /api/v1/repertoire',
                'POST /api/v1/repertoire_coverage',
                'POST /api/v1/repertoire_gaps',
            ],
        )
        await tree.getByRole('link', { name: 'Nc6' }).click()
        await page.getByRole('heading', { name: '1.e4 e5 2.Nf3 Nc6' }).waitFor()
        assert.equal(addressOf(page).get('n'), String(coverage.find(({ line }) => line.endsWith('2.Nf3 Nc6')).number))
        await browser.axe(page)
        // It is still there after a reload, in this tab only.
        await page.reload()
        await page.getByRole('heading', { name: '1.e4 e5 2.Nf3 Nc6' }).waitFor()
        await page.getByRole('link', { name: 'Open in the explorer' }).click()
        await page.waitForURL(/fen=r1bqkbnr/)
    })

    using('repertoire: what is missing, by the keyboard', '?view=repertoire', {}, async (page) => {
        await page.getByLabel('or paste a PGN').fill(lines)
        await page.getByRole('button', { name: 'Compare' }).click()
        const gap = page.getByRole('table').first().getByRole('link').first()
        await gap.waitFor()
        await browser.quiet(page)
        const [line, reply] = [await text(gap), await text(gap.locator('strong'))]
        await gap.focus()
        await page.keyboard.press('Enter')
        await page.getByText('Not in your lines:').waitFor()
        const missing = await text(page.getByText('Not in your lines:'))
        assert.ok(missing.includes(reply.replace(/^\d+[.…]\s*/, '')), `${line}: ${missing}`)
    })

    using('repertoire: who left the lines, game by game', '?view=repertoire', {}, async (page) => {
        await drop(page, lines)
        const section = page.getByRole('region', { name: 'Where games left the lines' })
        const rows = section.locator('tbody tr')
        await rows.first().waitFor()
        const games = async (which) =>
            page.evaluate(
                async ([body, asked]) => {
                    const target = `api/v1/repertoire?color=white&sort=date${asked}`
                    const answer = await fetch(target, { method: 'POST', body })
                    return (await answer.text()).trim().split('\n').map((line) => JSON.parse(line))
                },
                [lines, which],
            )
        const all = await games('')
        await browser.quiet(page)
        assert.equal(await rows.count(), 20)
        await section.getByRole('button', { name: 'Show more' }).click()
        await browser.quiet(page)
        assert.equal(await rows.count(), Math.min(all.length, 120))
        for (const [button, by, who] of [
            ['opponent', 'opponent', 'opponent'],
            ['nobody', 'nobody', null],
            ['I', 'player', 'player'],
        ]) {
            await section.getByRole('button', { name: button, exact: true }).click()
            await page.waitForURL(new RegExp(`left-by=${by}`))
            await browser.quiet(page)
            const some = await games(`&left-by=${by}`)
            assert.deepEqual(some, all.filter(({ left_by }) => left_by === who))
            assert.equal(await rows.count(), Math.min(some.length, 20))
            assert.ok((await rows.locator('td').first().innerText()).startsWith(button))
        }
        await browser.axe(page)
        // The row says what was played, and what the lines have.
        const [game] = await games('&left-by=player')
        const row = await text(rows.first())
        for (const part of [game.white, game.black, game.played, `instead of ${game.expected.join(', ')}`])
            assert.ok(row.includes(part), `${part}: ${row}`)
        await rows.first().getByRole('link').focus()
        await page.keyboard.press('Enter')
        await page.waitForURL(/view=games/)
        assert.equal(addressOf(page).get('game'), game.ref)
        assert.equal(addressOf(page).get('ply') ?? '0', String(game.ply))
    })

    using('repertoire: lines for Black, and filters', '?view=repertoire', {}, async (page) => {
        await drop(page, '1. e4 c5 (1... e5 2. Nf3 Nc6) 2. Nf3 d6 *')
        await page.locator('.coverage').waitFor()
        await page.getByLabel('My colour').selectOption('black')
        await page.waitForURL(/color=black/)
        await browser.quiet(page)
        assert.match(await text(page.locator('.coverage')), /^1\.e4 c5 \d+% 1…e5 \d+% 2\.Nf3 Nc6/)
        await page.goto(`${server.address}?view=repertoire&color=black&result=0-1`)
        await browser.quiet(page)
        await page.getByRole('table').first().waitFor()
    })

    for (const [language, words] of [
        ['en', /game 1, line 1/],
        ['de', /Die Linien sind nicht lesbar/],
    ])
        using(`repertoire: lines that cannot be read, ${language}`, '?view=repertoire', { language }, async (page) => {
            await drop(page, '1. e4 e5 2. Ke3 *')
            const failure = page.getByRole('alert')
            await failure.waitFor()
            assert.match(await text(failure), words)
            page.wrong = page.wrong.filter((what) => !/\b400\b/.test(what))
        })
})
