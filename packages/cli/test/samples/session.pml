<pml version="1">
  <memory>
    <fact id="tea" keep="always">Kim likes tea.</fact>
  </memory>
  <conversation topic="Weather">
    <turn index="1">
      <user name="Kim"><text>What is in a.ts?</text><attachment type="file" path="a.ts"><content><![CDATA[if (a < b) c();]]></content></attachment></user>
      <assistant><thinking>I need the weather.</thinking><call id="1" name="get_weather" city="Oslo"/></assistant>
      <tool_output call="1">4 °C</tool_output>
    </turn>
    <turn index="2">
      <user>And tomorrow?</user>
      <assistant>It stays cold.</assistant>
    </turn>
  </conversation>
</pml>
