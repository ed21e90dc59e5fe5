#!/usr/bin/env python3
"""Puts doubles into an archive, imports it and counts which ones `fendex duplicates --similar` finds.

    tests/long/doubles.py build/src/fendex archive.pgn --games 40000 --doubles 500 --seed 1

Takes games of at least 30 plies from the archive, leaves out games whose moves occur twice there, and
appends altered copies of some. Each copy is altered in one way (a kind). A pair of games in a group of
identical or similar games is right if one is a copy of the other. Pairs of games of the archive itself
are printed, and count as wrong unless --own-pairs says how many of them were found right by hand.
Prints for each kind how many copies were found, and which pairs are wrong. How games are altered has
nothing in common with how fendex compares them. Exit status 1 if fewer than 0.9 of the copies of a
kind are found or fewer than 0.99 of the pairs are right.
"""
import argparse
import collections
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile

CYRILLIC = [
    ('shch', 'щ'), ('sh', 'ш'), ('ch', 'ч'), ('zh', 'ж'), ('kh', 'х'), ('ts', 'ц'), ('yu', 'ю'), ('ya', 'я'),
    *zip('abvgdezijklmnoprstufyhcwq', 'абвгдезийклмнопрстуфйхквк'), ('x', 'кс')]
GERMAN = [('ch', 'tsch'), ('sh', 'sch'), ('v', 'w'), ('ya', 'ja'), ('yu', 'ju'), ('y', 'j'), ('zh', 'sh')]


def transliterated(name, table):
    out, text = '', name.lower()
    while text:
        for latin, other in table:
            if text.startswith(latin):
                out, text = out + other, text[len(latin):]
                break
        else:
            out, text = out + text[0], text[1:]
    return out.title()


OTHER = 'another move'


class Game:
    def __init__(self, tags, moves, result):
        self.tags, self.moves, self.result = tags, moves, result

    def copy(self):
        return Game(dict(self.tags), list(self.moves), self.result)

    def text(self):
        tags = dict(self.tags, Result=self.result)
        lines = ['[%s "%s"]' % (name, value) for name, value in tags.items()]
        words = []
        for ply, move in enumerate(self.moves):
            words += ['%d.' % (ply // 2 + 1), move] if ply % 2 == 0 else [move]
        return '\n'.join(lines) + '\n\n' + ' '.join(words + [self.result]) + '\n\n'


def games_of(path):
    """Reads games without comments, as the corpus has them."""
    tags, moves = {}, []
    with open(path, encoding='latin-1', newline='') as file:
        for line in file:
            line = line.strip()
            tag = re.fullmatch(r'\[(\w+) "(.*)"\]', line)
            if tag:
                tags[tag[1]] = tag[2].encode('ascii', 'replace').decode()
                continue
            for word in re.sub(r'\d+\.+', ' ', line).split():
                if word in ('1-0', '0-1', '1/2-1/2', '*'):
                    yield Game(tags, moves, word)
                    tags, moves = {}, []
                else:
                    moves.append(word)


def respelled(name, rng):
    """One typing error in a word of at least five letters."""
    words = [m for m in re.finditer(r'[A-Za-z]{5,}', name)]
    if not words:
        return name.upper()
    word = rng.choice(words)
    at = rng.randrange(word.start() + 1, word.end() - 1)
    how = rng.randrange(4)
    if how == 0:
        return name[:at] + name[at + 1:]
    if how == 1:
        return name[:at] + rng.choice('aeiourstnl') + name[at:]
    if how == 2:
        return name[:at] + name[at + 1] + name[at] + name[at + 2:]
    return name[:at] + rng.choice('aeiourstnl') + name[at + 1:]


def spelling(game, rng):
    for side in ('White', 'Black'):
        if rng.random() < 0.5 or side == 'White':
            game.tags[side] = respelled(game.tags[side], rng)


def word_order(game, rng):
    for side in ('White', 'Black'):
        game.tags[side] = ' '.join(reversed([part.strip() for part in game.tags[side].split(',')]))


def transliteration(game, rng):
    table = rng.choice([CYRILLIC, GERMAN])
    for side in ('White', 'Black'):
        game.tags[side] = transliterated(game.tags[side], table)


def initials(game, rng):
    for side in ('White', 'Black'):
        surname, _, given = game.tags[side].partition(',')
        given = given.strip()
        if given:
            game.tags[side] = surname + rng.choice([', ', ',', ' ']) + given[:rng.choice([1, 1, 2, 3])]


def cut_short(game, rng):
    game.moves = game.moves[:rng.randrange(max(28, len(game.moves) // 2), len(game.moves) - 1)]


def last_move(game, rng):
    """The last move is another one (replace_last_moves()), or is missing."""
    game.moves.pop()
    if rng.random() < 0.7:
        game.moves.append(OTHER)


def other_date(game, rng):
    parts = game.tags.get('Date', '????.??.??').split('.')
    if len(parts) != 3 or '?' in parts[2]:
        game.tags['Date'] = parts[0] + '.??.??' if rng.random() < 0.5 else '????.??.??'
        return
    how = rng.randrange(4)
    year, month, day = parts
    if how == 0:
        game.tags['Date'] = '%s.%s.%02d' % (year, month, (int(day) + rng.randrange(1, 6)) % 28 + 1)
    elif how == 1:
        game.tags['Date'] = '%s.%s.??' % (year, month)
    elif how == 2:
        game.tags['Date'] = '%s.??.??' % year
    else:
        game.tags['Date'] = '%04d.%s.%s' % (int(year) + rng.choice([-1, 1]), month, day)


def other_event(game, rng):
    game.tags['Event'] = rng.choice(['Open', 'Team championship', 'International', '?', 'Match 3', 'Masters'])
    game.tags['Round'] = rng.choice(['?', '-', game.tags.get('Round', '?')])
    game.tags['Site'] = rng.choice(['?', game.tags.get('Site', '?'), 'Rest of the world'])


def lost_header(game, rng):
    names = ['White', 'Black', 'Date', 'Event', 'Site', 'Round']
    for name in rng.sample(names, rng.randrange(2, len(names))):
        game.tags[name] = '????.??.??' if name == 'Date' else '?'


def other_result(game, rng):
    game.result = rng.choice([each for each in ('1-0', '0-1', '1/2-1/2', '*') if each != game.result])


def replace_last_moves(fendex, games, rng):
    """Replaces OTHER by a legal move: fendex imports each game with several moves, and reads some of them."""
    candidates = []
    for game in games:
        squares = [a + b for a in 'abcdefgh' for b in '12345678']
        moves = squares + ['K' + square for square in squares] + ['R' + square for square in squares]
        for move in rng.sample(moves, 40):
            candidates.append((game, move))
    texts = [Game({'White': 'a', 'Black': 'b'}, game.moves[:-1] + [move], '*').text() for game, move in candidates]
    with tempfile.TemporaryDirectory() as directory:
        database = os.path.join(directory, 'a.db')
        subprocess.run([fendex, 'import', database, '-', '--quiet'], input=''.join(texts).encode(), check=True,
                       stderr=subprocess.DEVNULL)
        rows = subprocess.run([fendex, 'games', database, '--format', 'json'], stdout=subprocess.PIPE,
                              check=True).stdout.splitlines()
    for row in map(json.loads, rows):
        game, move = candidates[row['game_id'] - 1]
        if row['plies'] == len(game.moves) and game.moves[-1] == OTHER:
            game.moves[-1] = move
    for game in games:
        if game.moves[-1] == OTHER:
            game.moves.pop()


KINDS = [spelling, word_order, transliteration, initials, cut_short, last_move, other_date, other_event, lost_header,
         other_result]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('fendex')
    parser.add_argument('archive')
    parser.add_argument('--games', type=int, default=40000)
    parser.add_argument('--doubles', type=int, default=500, help='of each kind')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--show', type=int, default=3, help='examples of each kind that was missed')
    parser.add_argument('--own-pairs', type=int, default=0, help='pairs of the archive itself that are right')
    options = parser.parse_args()
    rng = random.Random(options.seed)

    seen = collections.Counter()
    games = []
    for game in games_of(options.archive):
        seen[' '.join(game.moves)] += 1
        if len(game.moves) >= 30 and 'White' in game.tags and 'Black' in game.tags:
            games.append(game)
    games = [game for game in games if seen[' '.join(game.moves)] == 1]
    games = rng.sample(games, min(options.games, len(games)))
    originals = rng.sample(range(len(games)), min(len(games), options.doubles * len(KINDS)))
    kind_of, original_of = {}, {}
    records = [game for game in games]
    for number, index in enumerate(originals):
        copy = games[index].copy()
        kind = KINDS[number % len(KINDS)]
        kind(copy, rng)
        records.append(copy)
        kind_of[len(records)] = kind.__name__
        original_of[len(records)] = index + 1

    replace_last_moves(options.fendex, [game for game in records if game.moves[-1] == OTHER], rng)

    with tempfile.TemporaryDirectory() as directory:
        pgn = os.path.join(directory, 'all.pgn')
        database = os.path.join(directory, 'all.db')
        with open(pgn, 'w', encoding='utf-8') as file:
            for game in records:
                file.write(game.text())
        subprocess.run([options.fendex, 'import', database, pgn, '--quiet'], check=True)
        groups = []
        for kind in ('identical', 'similar'):
            answer = subprocess.run([options.fendex, 'duplicates', database, '--kind', kind, '--format', 'json'],
                                    stdout=subprocess.PIPE, check=False).stdout
            groups += map(json.loads, answer.splitlines())

    right, wrong, own = set(), [], []
    for group in groups:
        for a, b in itertools.combinations(group['games'], 2):
            root_a, root_b = original_of.get(a, a), original_of.get(b, b)
            if root_a == root_b:
                right.add(b if b in original_of else a)
            elif a in original_of or b in original_of:
                wrong.append((group, a, b))
            else:
                own.append((group, a, b))
    failed = False
    for kind in KINDS:
        copies = [number for number, name in kind_of.items() if name == kind.__name__]
        found = [number for number in copies if number in right]
        recall = len(found) / len(copies)
        failed |= recall < 0.9
        print('%-16s %5d of %5d  recall %.4f' % (kind.__name__, len(found), len(copies), recall))
        for number in [each for each in copies if each not in right][:options.show]:
            old, new = records[original_of[number] - 1], records[number - 1]
            print('    missed: %s %d plies %s | %d plies %s' % (
                old.result, len(old.moves), list(old.tags.values())[:6], len(new.moves), list(new.tags.values())[:6]))
    own_right = min(options.own_pairs, len(own))
    pairs = len(right) + len(wrong) + len(own)
    precision = (len(right) + own_right) / pairs if pairs else 1
    failed |= precision < 0.99
    print('precision %.4f: %d right, %d wrong, %d of the archive itself' % (
        precision, len(right), len(wrong), len(own)))
    for group, a, b in wrong[:20] + own[:100]:
        print('    %d %d %s' % (a, b, json.dumps(group, ensure_ascii=False)[:400]))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
