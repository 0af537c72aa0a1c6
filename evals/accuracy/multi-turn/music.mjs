// A player with songs and playlists.
import { addOnce, oneNamed, text, tool, whole } from "./world.mjs";

const songOf = ({ songs }, title) => oneNamed("song", Object.keys(songs), title);
const title = text("of the song");

export const music = {
  start: {
    songs: {
      "Blue Harbour": { artist: "The Lanterns", seconds: 215 },
      "Night Tram": { artist: "Vera Holm", seconds: 184 },
      "Paper Moons": { artist: "The Lanterns", seconds: 168 },
      "Slow Comet": { artist: "Vera Holm", seconds: 341 },
      "Tin Whistle": { artist: "Old Mill Band", seconds: 122 },
    },
    playing: null,
    volume: 30,
    liked: [],
    playlists: { Morning: ["Tin Whistle"] },
  },
  tools: {
    play_song: tool("Plays a song", { title }, (player, { title }) => {
      player.playing = songOf(player, title);
    }),
    set_volume: tool("Sets the volume", { percent: whole() }, (player, { percent }) => {
      if (percent < 0 || percent > 80) throw new Error(`${percent} is out of range: 0 to 80.`);
      player.volume = percent;
    }),
    what_is_playing: tool("The song that plays, and the volume", {}, ({ playing, volume }) => ({ playing, volume })),
    songs_of: tool("The songs of an artist, and how long they are", { artist: text() }, ({ songs }, { artist }) => {
      const name = oneNamed("artist", [...new Set(Object.values(songs).map((song) => song.artist))], artist);
      const found = Object.entries(songs).filter(([, song]) => song.artist === name);
      return found.map(([title, { seconds }]) => ({ title, seconds }));
    }),
    like_song: tool("Marks a song as liked", { title }, (player, { title }) => {
      addOnce(player.liked, songOf(player, title));
    }),
    create_playlist: tool("Creates an empty playlist", { playlist: text("its name") }, (player, { playlist }) => {
      if (Object.hasOwn(player.playlists, playlist)) throw new Error(`There is a playlist "${playlist}" already.`);
      player.playlists[playlist] = [];
    }),
    add_to_playlist: tool("Adds a song to a playlist", { playlist: text("its name"), title }, (player, given) => {
      const playlist = oneNamed("playlist", Object.keys(player.playlists), given.playlist);
      player.playlists[playlist].push(songOf(player, given.title));
    }),
  },
  scenarios: [
    {
      level: 1,
      tools: ["set_volume"],
      turns: [["Set the volume to 50.", ["set_volume", { percent: 50 }]], ["Thank you."]],
    },
    {
      level: 1,
      tools: ["play_song"],
      turns: [["Play Blue Harbour.", ["play_song", { title: "Blue Harbour" }]], ["I love this one!"]],
    },
    {
      level: 2,
      tools: ["play_song", "like_song", "set_volume"],
      turns: [
        ["Play Night Tram.", ["play_song", { title: "Night Tram" }]],
        ["Mark it as liked.", ["like_song", { title: "Night Tram" }]],
        ["A bit loud: 10 less than the 30 it has.", ["set_volume", { percent: 20 }]],
      ],
    },
    {
      level: 2,
      tools: ["songs_of", "add_to_playlist", "play_song"],
      turns: [
        ["Which songs of The Lanterns are there?", ["songs_of", { artist: "The Lanterns" }]],
        [
          "Add both to the playlist Morning.",
          ["add_to_playlist", { playlist: "Morning", title: "Blue Harbour" }],
          ["add_to_playlist", { playlist: "Morning", title: "Paper Moons" }],
        ],
      ],
    },
    {
      level: 3,
      tools: ["songs_of", "play_song", "create_playlist", "add_to_playlist", "set_volume"],
      turns: [
        [
          "Add Paper Moons to the playlist Party. Create it if there is none.",
          ["add_to_playlist", { playlist: "Party", title: "Paper Moons" }],
          ["create_playlist", { playlist: "Party" }],
          ["add_to_playlist", { playlist: "Party", title: "Paper Moons" }],
        ],
        [
          "Play it, at volume 90. If that is too loud, as loud as it can be.",
          ["play_song", { title: "Paper Moons" }],
          ["set_volume", { percent: 90 }],
          ["set_volume", { percent: 80 }],
        ],
        ["Yes! That is what I call a party."],
      ],
    },
    {
      level: 3,
      tools: ["what_is_playing", "songs_of", "play_song", "like_song", "set_volume", "add_to_playlist"],
      turns: [
        [
          "Play the shortest song of Vera Holm.",
          ["songs_of", { artist: "Vera Holm" }],
          ["play_song", { title: "Night Tram" }],
        ],
        ["And what is the other one called?"],
        ["Put that one on the playlist Morning.", ["add_to_playlist", { playlist: "Morning", title: "Slow Comet" }]],
        ["Twice as loud, please.", ["what_is_playing", {}], ["set_volume", { percent: 60 }]],
      ],
    },
  ],
};
